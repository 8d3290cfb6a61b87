/** The table of all actions in docs/admin.md matches the contract. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventActions } from '../../src/api/event-actions.ts'

const text = readFileSync(join(import.meta.dirname, '../../docs/admin.md'), 'utf8')

test('docs/admin.md lists every action of the audit log with its words and details', () => {
  const [, section = ''] = text.split('### Every action\n')
  const [table = ''] = section.match(/(?:^\|.*\n)+/m) ?? []
  const rows = Object.entries(eventActions).map(([action, { words, details }]) => {
    const names = details.map(name => `\`${name}\``).join(' ')
    return `| \`${action}\` | ${words} |${names === '' ? '' : ` ${names}`} |\n`
  })
  expect(table.split('\n').slice(2).join('\n')).toBe(rows.join(''))
})
