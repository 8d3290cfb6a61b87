/** `filestore migrate`: migrates the tables of a server's own database. */
import type { Command } from 'commander'
import { helpLines } from '../cli/register/command.ts'
import { exitHelp } from '../terminal/exit.ts'
import { parseCount } from '../terminal/options.ts'
import { printNotice } from '../terminal/output.ts'
import { answer, answerList, confirmUnless, type DataFlags, type YesFlag } from './answer.ts'
import { addDataCommand } from './server-command.ts'

const load = () => import('../src/commands/migrate.ts')

const downHelp = `Stop the server first: while anything has the database open, this is refused. An SQLite
database is copied before, and stays until you delete the copy; of a MariaDB make a dump.`

const withWord = (word: string) => (names: readonly string[]) => names.map(name => `${word}  ${name}`).join('\n')

export function addMigrate(program: Command): void {
  const migrate = program
    .command('migrate')
    .description("change the database's tables")
    .helpGroup('Server commands:')
    .addHelpText('after', helpLines(['migrate status', 'migrate up --data-dir /srv/filestore', 'migrate down']))
    .addHelpText('after', `\n${exitHelp}`)
  addDataCommand(migrate, 'up', 'run every migration that is still to be run')
    .addHelpText('after', helpLines(['migrate up']))
    .action(async (flags: DataFlags) => {
      const { runMigrateUp } = await load()
      await answerList(flags, () => runMigrateUp(flags), withWord('up  '), 'Nothing to migrate')
    })
  addDataCommand(migrate, 'down', 'take the last migrations back, with their data')
    .argument('[count]', 'how many', parseCount, 1)
    .option('--yes', 'do not ask')
    .addHelpText('after', helpLines(['migrate down', 'migrate down 2 --yes'], downHelp))
    .action(async (count: number, flags: DataFlags & YesFlag) => {
      const { planMigrateDown, runMigrateDown } = await load()
      const take = async () => {
        const planned = await planMigrateDown(count, flags)
        if (planned.length === 0) return []
        await confirmUnless(flags, `Take back ${planned.join(', ')}, with the data that is kept there?`)
        const { names, copy } = await runMigrateDown(count, flags)
        if (copy !== null) printNotice(`The database as it was: ${copy}`)
        return names
      }
      await answerList(flags, take, withWord('down'), 'Nothing to take back')
    })
  addDataCommand(migrate, 'status', 'list the migrations; changes nothing')
    .addHelpText('after', helpLines(['migrate status --json']))
    .action(async (flags: DataFlags) => {
      const { runMigrateStatus } = await load()
      await answer(
        flags,
        () => runMigrateStatus(flags),
        list => list.map(({ name, done }) => `${done ? 'done   ' : 'pending'}  ${name}`).join('\n'),
      )
    })
}
