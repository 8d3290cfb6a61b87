/** `filestore migrate`: the tables of a server's own database. */
import type { Command } from 'commander'
import { answer, answerList, type DataFlags } from './answer.ts'
import { addDataCommand } from './server-command.ts'

const load = () => import('../src/commands/migrate.ts')

const withWord = (word: string) => (names: readonly string[]) => names.map(name => `${word}  ${name}`).join('\n')

export function addMigrate(program: Command): void {
  const migrate = program.command('migrate').description("change the database's tables").helpGroup('Server commands:')
  addDataCommand(migrate, 'up', 'run every migration that is still to be run').action(async (flags: DataFlags) => {
    const { runMigrateUp } = await load()
    await answerList(flags, () => runMigrateUp(flags), withWord('up  '), 'Nothing to migrate')
  })
  addDataCommand(migrate, 'down', 'take the last migrations back, with their data')
    .argument('[count]', 'how many', '1')
    .action(async (count: string, flags: DataFlags) => {
      const { runMigrateDown } = await load()
      await answerList(flags, () => runMigrateDown(count, flags), withWord('down'), 'Nothing to take back')
    })
  addDataCommand(migrate, 'status', 'list the migrations').action(async (flags: DataFlags) => {
    const { runMigrateStatus } = await load()
    await answer(
      flags,
      () => runMigrateStatus(flags),
      list => list.map(({ name, done }) => `${done ? 'done   ' : 'pending'}  ${name}`).join('\n'),
    )
  })
}
