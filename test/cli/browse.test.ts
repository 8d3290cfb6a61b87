/** The terminal browser: navigation, and the contents of the screen. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteApiKey, listApiKeys } from '../../src/api/keys.ts'
import { restoreFile, trashFile } from '../../src/api/trash.ts'
import { signIn } from '../support/client.ts'
import { buildFile, buildFolder, buildTeam } from '../support/factories.ts'
import { plantFiles } from '../support/planted.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { keys, openScreen } from './screen.ts'
import { openUserTerminal } from './signed-in.ts'
import { spawnCli } from './terminal.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** The root holds `Docs` with the folder `Deep` and two files, the folder `Empty`, and the file `zebra.txt`. */
async function openExample() {
  const opened = await openUserTerminal(server)
  const docs = await buildFolder(opened.user, 'Docs')
  await buildFolder(opened.user, 'Deep', docs.id)
  await buildFolder(opened.user, 'Empty')
  const report = await buildFile(opened.user, { name: 'report.txt', parent_id: docs.id }, 'first line\nsecond line\n')
  await buildFile(opened.user, { name: 'notes.txt', parent_id: docs.id }, 'x'.repeat(2048))
  await buildFile(opened.user, { name: 'zebra.txt' }, 'z')
  return { ...opened, docs, report }
}

describe('navigation', () => {
  test('folders open and close, and the cursor returns to its row', async () => {
    const { terminal } = await openExample()
    const screen = await openScreen(terminal)
    await screen.stands('Docs/')
    expect(screen.isAlternate()).toBe(true)
    screen.type(keys.down)
    await screen.stands('Empty/')
    screen.type(keys.enter)
    await screen.shows('This folder is empty')
    screen.type(keys.backspace)
    await screen.stands('Empty/')
    screen.type('k', 'l')
    await screen.stands('Deep/')
    await screen.shows(/^ \/Docs {2}/m)
    screen.type('q')
    expect(await screen.code()).toBe(0)
    expect(screen.isAlternate()).toBe(false)
  })

  test('the browser starts in the folder of the argument, or on the file of the argument', async () => {
    const { terminal, report } = await openExample()
    await (await openScreen(terminal, ['/Docs/Deep'])).shows('This folder is empty')
    const screen = await openScreen(terminal, [`id:${report.id}`])
    await screen.stands('report.txt')
    await screen.shows(/^ \/Docs {2}/m)
  })

  test('in a team folder the title begins with its name, and going back leads to the list of team folders', async () => {
    const { terminal, user } = await openExample()
    const admin = await signIn(server.url, server.adminName, server.adminPassword)
    const team = await buildTeam(admin, user, 'Accounts')
    await buildFolder(user, '2026', team.folder_id)
    const screen = await openScreen(terminal, ['@Accounts/2026'])
    await screen.shows('This folder is empty')
    await screen.shows(/^ @Accounts\/2026 {2}/m)
    screen.type(keys.backspace)
    await screen.stands('2026/')
    await screen.shows(/^ @Accounts {2}/m)
    screen.type(keys.backspace)
    await screen.stands('Accounts/')
    await screen.shows(/^ Team folders/m)
    screen.type('1')
    await screen.stands('Docs/')
  })

  test('sizes and times are in columns, s changes the sort column and S the direction', async () => {
    const { terminal } = await openExample()
    const screen = await openScreen(terminal, ['/Docs'])
    await screen.shows(/notes\.txt .* 2\.00 KB {2}\d{4}-\d\d-\d\d$/m)
    screen.type('s', 's')
    await screen.shows('Size ▲')
    const order = () => screen.lines().flatMap(line => /(notes|report)\.txt/.exec(line)?.[1] ?? [])
    await screen.shows(/report\.txt.*notes\.txt/s)
    screen.type('S')
    await screen.shows('Size ▼')
    await screen.shows(/notes\.txt.*report\.txt/s)
    expect(order()).toEqual(['notes', 'report'])
  })

  test('the preview of a text shows its first lines, checksum and kind', async () => {
    const { terminal, report } = await openExample()
    const screen = await openScreen(terminal, ['/Docs/report.txt'])
    await screen.stands('report.txt')
    screen.type(keys.enter)
    await screen.shows(/first line\n second line/)
    await screen.shows(report.sha256 ?? '')
    await screen.shows('Type        Document (text/plain)')
    screen.type(keys.escape)
    await screen.stands('report.txt')
  })

  test('the search shows results while the user types, and Esc returns to the folder', async () => {
    const { terminal } = await openExample()
    const screen = await openScreen(terminal)
    await screen.stands('Docs/')
    screen.type('/', 'rep')
    await screen.shows("'rep' · 1 found")
    screen.type('x')
    await screen.shows('No files found')
    screen.type(keys.backspace, keys.enter)
    await screen.stands('report.txt')
    screen.type('/')
    await screen.shows('Search: rep')
    screen.type(keys.escape)
    await screen.stands('Docs/')
  })

  test('? lists the keys that the user may use', async () => {
    const { terminal } = await openExample()
    const screen = await openScreen(terminal, [], { columns: 80, rows: 40 })
    await screen.stands('Docs/')
    screen.type('?')
    await screen.shows(/d +delete {2}/)
    await screen.shows(/d +delete permanently/)
    // Only reviewers can approve.
    expect(screen.lines().join('\n')).not.toContain('approve')
    screen.type(keys.escape)
    await screen.stands('Docs/')
  })
})

describe('the terminal', () => {
  test('file names send no control characters to it, and wide characters keep the columns aligned', async () => {
    const { terminal, user } = await openUserTerminal(server)
    await buildFile(user, { name: 'a \u202egpj.exe' }, '1')
    await buildFile(user, { name: '日本の写真🎉.txt' }, '1')
    await buildFile(user, { name: '👨‍👩‍👧‍👦 family 🇩🇪.txt' }, '1')
    const evil = await buildFile(user, { name: 'evil' }, '\u001b]0;owned\u0007\u001b[31mred')
    await server.deps.db.touch(() =>
      server.deps.db.change('UPDATE files SET name = $1 WHERE id = $2', ['\u001b]0;owned\u0007\u009b31mred', evil.id]),
    )
    const screen = await openScreen(terminal)
    await screen.shows('a \\u202egpj.exe')
    await screen.shows('\\x1b]0;owned\\x07\\x9b31mred')
    screen.type('/', 'red')
    await screen.shows("'red'")
    expect(screen.sent()).not.toContain('\u001b]0;')
    screen.type(keys.escape)
    await screen.shows('日本')
    const columns = screen.columnsOf('1 Bytes  2')
    expect(columns).toHaveLength(3)
    expect(new Set(columns).size).toBe(1)
  })

  test('is filled again after a change of its size, and shows a message when it is too small', async () => {
    const { terminal } = await openExample()
    const screen = await openScreen(terminal)
    await screen.stands('Docs/')
    await screen.resize({ columns: 120, rows: 40 })
    await screen.shows(/\d{4}-\d\d-\d\d \d\d:\d\d/)
    // The list of keys is on the last line.
    await screen.shows(/Enter open[^\n]*$/)
    expect(screen.lines()).toHaveLength(40)
    await screen.resize({ columns: 40, rows: 8 })
    await screen.shows('This terminal is too small')
    await screen.resize({ columns: 80, rows: 24 })
    await screen.stands('Docs/')
    await screen.shows(/q quit[^\n]*$/)
    expect(screen.lines()).toHaveLength(24)
  })

  test('shows the cursor and the selection also without colour', async () => {
    const { terminal } = await openExample()
    terminal.env.NO_COLOR = '1'
    const screen = await openScreen(terminal)
    await screen.stands('Docs/')
    screen.type(' ')
    await screen.shows(/^ ✓ {3}Docs\//m)
    await screen.shows('✓ 1 item')
    // Only bold, faint, inverse and their ends are allowed.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape that begins a style
    const styles = [...screen.sent().matchAll(/\x1b\[([\d;]*)m/g)].map(([, style = '']) => style)
    expect(styles.filter(style => !['0', '1', '2', '7', '22', '27'].includes(style))).toEqual([])
  })

  test.each([
    ['Ctrl-C', 130],
    ['SIGTERM', 130],
  ] as const)('is restored after %s', async (how, code) => {
    const { terminal } = await openExample()
    const screen = await openScreen(terminal)
    await screen.stands('Docs/')
    if (how === 'Ctrl-C') screen.type(keys.interrupt)
    else await screen.signal(how)
    expect(await screen.code()).toBe(code)
    expect(screen.isAlternate()).toBe(false)
    expect(screen.sent()).toContain('\u001b[?25h')
  })

  test('is required: without one the command ends with code 2 and draws nothing', async () => {
    const { terminal } = await openExample()
    const { code, stdout, stderr } = await spawnCli(terminal, ['browse'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('needs a terminal')
  })

  test('stays untouched when the path does not exist, and the command ends with code 4', async () => {
    const { terminal } = await openExample()
    const screen = await openScreen(terminal, ['/none'])
    expect(await screen.code()).toBe(4)
    expect(screen.sent()).not.toContain('\u001b[?1049h')
  })
})

test('a folder of 12,000 files is loaded in pages and scrolled from both ends', async () => {
  const { terminal, user } = await openUserTerminal(server)
  const folder = await buildFolder(user, 'Long')
  await plantFiles(server, user, folder.id, 12_000)
  const screen = await openScreen(terminal, ['/Long'])
  await screen.shows('1 of 12000')
  const first = screen.current().trim()
  screen.type('G')
  await screen.shows('12000 of 12000')
  await screen.stands('Report 11999')
  for (let page = 0; page < 60; page++) screen.type(keys.pageUp)
  await screen.shows('10980 of 12000')
  await screen.hides('…')
  screen.type('g')
  await screen.shows('1 of 12000')
  await screen.stands(first)
  for (let page = 0; page < 60; page++) screen.type(keys.pageDown)
  await screen.shows('1021 of 12000')
  await screen.hides('…')
})

describe('failures', () => {
  test('show a message and keep the view, and R tries again', async () => {
    const { terminal, user, docs } = await openExample()
    const screen = await openScreen(terminal)
    await screen.stands('Docs/')
    await user.call(trashFile, { id: docs.id })
    screen.type(keys.enter)
    await screen.shows('R tries again')
    await user.call(restoreFile, { id: docs.id })
    screen.type('R')
    await screen.stands('Deep/')
  })

  test('for a revoked key show a message and keep the list', async () => {
    const { terminal, user } = await openExample()
    const screen = await openScreen(terminal)
    await screen.stands('Docs/')
    for (const { id } of (await user.call(listApiKeys, {})).api_keys) await user.call(deleteApiKey, { id })
    screen.type('R')
    await screen.shows(/✗ .*key/i)
    await screen.stands('Docs/')
  })

  test('of a question show a message below it, and both stay when the terminal gets smaller', async () => {
    const { user, terminal } = await openUserTerminal(server)
    await buildFolder(user, 'Docs')
    await buildFolder(user, 'Docsx')
    const screen = await openScreen(terminal)
    await screen.stands('Docs/')
    screen.type('r')
    await screen.shows('Rename to:')
    screen.type('x', keys.enter)
    await screen.shows(/✗ .*Docsx/)
    await screen.resize({ columns: 70, rows: 14 })
    await screen.shows('Rename to:')
    screen.type(keys.escape)
    await screen.stands('Docs/')
  })

  test('to reach the server show a message and keep the list', async () => {
    const away = await startServer()
    const { terminal, user } = await openUserTerminal(away)
    await buildFolder(user, 'Docs')
    const screen = await openScreen(terminal)
    await screen.stands('Docs/')
    await away.close()
    screen.type('R')
    await screen.shows(/✗ (Cannot reach|Lost the connection)/)
    await screen.stands('Docs/')
    screen.type('q')
    expect(await screen.code()).toBe(0)
  })
})
