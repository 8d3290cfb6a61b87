/** `filestore admin audit`. */
import type { Command } from 'commander'
import { helpLines } from '../../cli/register/command.ts'
import { parseCount } from '../../cli/register/options.ts'
import { answerList, type DataFlags } from '../answer.ts'
import { addDataCommand } from '../server-command.ts'

interface AuditFlags extends DataFlags {
  actor?: string
  action?: string
  item?: string
  from?: string
  to?: string
  limit: number
}

/** A day stands for its first moment, which is what most people mean by `--from 2026-11-01`. */
const instantOf = (text: string | undefined): string | undefined =>
  text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text

export function addAudit(admin: Command): void {
  addDataCommand(admin, 'audit', 'list what was done on the server, the newest first')
    .option('--actor <username>', 'only what this user did')
    .option('--action <action>', 'only this act, such as file.rename, or all on a noun, such as file')
    .option('--item <id>', 'only what was done to the item with this id')
    .option('--from <time>', 'only from this time on (a day in UTC, or ISO 8601)')
    .option('--to <time>', 'only up to this time')
    .option('--limit <count>', 'at most so many', parseCount, 100)
    .addHelpText('after', helpLines(['admin audit --actor ann --action file --from 2026-11-01', 'admin audit --json']))
    .action(async (flags: AuditFlags) => {
      const { listAudit } = await import('../../src/commands/admin/audit.ts')
      const { formatEvents } = await import('./tables.ts')
      const { actor, action, limit } = flags
      const item_id = flags.item?.replace(/^id:/, '')
      const filters = { actor, action, item_id, from: instantOf(flags.from), to: instantOf(flags.to) }
      await answerList(flags, () => listAudit(flags, limit, filters), formatEvents, 'Nothing that fits was done')
    })
}
