/** `filestore admin audit`. */
import { type Command, Option } from 'commander'
import { helpLines } from '../../cli/register/command.ts'
import { runInterruptibly } from '../../terminal/interrupt.ts'
import { parseCount } from '../../terminal/options.ts'
import { sendData } from '../../terminal/output.ts'
import { answerList, type DataFlags } from '../answer.ts'
import { addDataCommand } from '../server-command.ts'

interface AuditFlags extends DataFlags {
  actor?: string
  action?: string
  item?: string
  from?: string
  to?: string
  limit?: number
  csv?: boolean
}

/**
 * Turns a day into an ISO 8601 instant at `moment`, so that --from and --to include the whole day. Keeps other texts.
 */
const instantOf = (text: string | undefined, moment: string): string | undefined =>
  text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T${moment}Z` : text

const examples = [
  'admin audit --actor ann --action file --from 2026-11-01',
  'admin audit --action session.refuse --json',
  'admin audit --from 2026-11-01 --csv > november.csv',
]

export function addAudit(admin: Command): void {
  addDataCommand(admin, 'audit', 'list what was done on the server, the newest first')
    .option('--actor <user>', 'only what this user did, by the name at that time (terminal is this), or as id:7')
    .option('--action <action>', 'only this act, such as file.rename, or all on a noun, such as file')
    .option('--item <id>', 'only what was done to the item with this id')
    .option('--from <time>', 'only from this time on (a day in UTC, or ISO 8601)')
    .option('--to <time>', 'only up to this time (a day: up to its end)')
    .option('--limit <count>', 'at most so many (default: 100; with --csv all)', parseCount)
    .addOption(new Option('--csv', 'print all that fits as CSV').conflicts('json'))
    .addHelpText('after', helpLines(examples))
    .action(async (flags: AuditFlags) => {
      const { listAudit, sendAuditCsv } = await import('../../src/commands/admin/audit.ts')
      const { formatEvents } = await import('./tables.ts')
      const { actor, action, limit } = flags
      const item_id = flags.item?.replace(/^id:/, '')
      const filters = {
        actor,
        action,
        item_id,
        from: instantOf(flags.from, '00:00:00'),
        to: instantOf(flags.to, '23:59:59.999'),
      }
      if (flags.csv) {
        return runInterruptibly(signal => sendAuditCsv(flags, limit, filters, csv => sendData(csv, signal)))
      }
      await answerList(flags, () => listAudit(flags, limit ?? 100, filters), formatEvents, 'Nothing that fits was done')
    })
}
