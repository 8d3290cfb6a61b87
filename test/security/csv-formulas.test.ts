/**
 * The audit log as CSV: complete, harmless in a spreadsheet, and exported in little memory. And no text of a user ever
 * reaches a shell.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exportAudit as endpoint, listAudit } from '../../src/api/events.ts'
import { exportAudit } from '../../src/events/export.ts'
import { failure } from '../support/client.ts'
import { type BuiltUser, buildFile, buildKey, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import { serverSources, sourcesWith } from '../support/sources.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let admin: BuiltUser
beforeAll(async () => {
  server = await startServer()
  admin = await buildUser(server, { role: 'admin' })
})
afterAll(() => server.close())

const head = 'id,at,actor_id,actor_name,key_id,address,action,item_id,detail'

/** The lines below the header line; every line ends with CRLF, as RFC 4180 says. */
async function linesOf(query = ''): Promise<string[]> {
  const text = await (await admin.raw(`/api${endpoint.path}${query}`)).text()
  expect(text.endsWith('\r\n')).toBe(true)
  const [first, ...lines] = text.slice(0, -2).split('\r\n')
  expect(first).toBe(head)
  return lines
}

/** The cells of a line, parsed as RFC 4180 says. */
const cellsOf = (line: string): string[] =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(([, quoted, bare]) =>
    quoted === undefined ? (bare ?? '') : quoted.replaceAll('""', '"'),
  )

interface Planted {
  name?: string
  detail?: object | null
  at?: number
}

/** Of today, because the server deletes events that are as old as the audit log goes back. */
const someTime = Math.floor(Date.now() / 1000) * 1000
const timeAfter = (ms: number): string => new Date(someTime + ms).toISOString()

async function plant(action: string, events: readonly Planted[]): Promise<void> {
  const { db } = server.deps
  const rows = events.map(({ name = 'somebody', detail = null, at = someTime }) => ({
    at,
    actor_id: null,
    actor_name: name,
    key_id: null,
    address: null,
    action,
    space_id: null,
    item_id: null,
    detail: detail === null ? null : JSON.stringify(detail),
  }))
  await db.touch(() => db.insertAll(db.events, rows))
}

describe('the exported audit log', () => {
  test('is a CSV attachment with the events of the list', async () => {
    const user = await buildUser(server, { username: 'exported' })
    await buildFile(user, { name: 'a, "b".txt' }, 'x')
    const response = await admin.raw(`/api${endpoint.path}?actor=exported`)
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="filestore-audit-[\d-]{10}\.csv"$/,
    )
    expect(response.headers.get('cache-control')).toBe('no-store')
    const { events } = await admin.call(listAudit, { actor: 'exported' })
    expect(events).toHaveLength(2)
    const shown = events.map(event =>
      Object.values({ ...event, detail: JSON.stringify(event.detail) }).map(value =>
        value === null ? '' : `${value}`,
      ),
    )
    expect((await linesOf('?actor=exported')).map(cellsOf)).toEqual(shown)
  })

  test('applies the filters of the list, and has only the header line when no event matches', async () => {
    await plant('test.narrow', [{ at: someTime + 1000 }, { at: someTime + 2000 }, { at: someTime + 3000 }])
    const query = `?action=test.narrow&from=${timeAfter(2000)}`
    expect((await linesOf(query)).map(line => line.split(',')[1])).toEqual([timeAfter(3000), timeAfter(2000)])
    const nothing = await admin.raw(`/api${endpoint.path}?actor=nobody`)
    expect(await nothing.text()).toBe(`${head}\r\n`)
  })

  test('contains each event once, even of several pages', async () => {
    await plant(
      'test.many',
      Array.from({ length: 2345 }, (_, n) => ({ at: someTime + (n % 7), name: `${n}` })),
    )
    const names = (await linesOf('?action=test.many')).map(line => cellsOf(line)[3])
    expect(new Set(names).size).toBe(2345)
    expect(names).toHaveLength(2345)
  })

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1', '＋1', '－1', '＠a'])(
    'escapes a name that would be a formula: %j',
    async name => {
      await plant('test.formula', [{ name }])
      const [line = ''] = await linesOf('?action=test.formula')
      expect(cellsOf(line)[3]).toMatch(/^'/)
      const { db } = server.deps
      await db.touch(() => db.change("DELETE FROM events WHERE action = 'test.formula'"))
    },
  )

  test('escapes line breaks, separators and bidirectional controls in a name', async () => {
    const ugly = 'a\r\nb\u202ec\u0085d\u2028e;=cmd|calc!A1;  @x "q" ;plain'
    await plant('test.ugly', [{ name: ugly, detail: { name: ugly } }])
    const lines = await linesOf('?action=test.ugly')
    expect(lines).toHaveLength(1)
    const cells = cellsOf(lines[0] ?? '')
    expect(cells[3]).toBe('a\\u000d\\u000ab\\u202ec\\u0085d\\u2028e\\u003b=cmd|calc!A1\\u003b  @x "q" ;plain')
    expect(JSON.parse(cells[8] ?? '')).toEqual({ name: ugly })
    expect(lines[0]).not.toMatch(/;\s*[=@]/)
  })

  test('escapes a semicolon before a quote, because some spreadsheets would start a formula behind it', async () => {
    const name = 'a;"=1+1;b'
    await plant('test.quoted', [{ name, detail: { name } }])
    const [line = ''] = await linesOf('?action=test.quoted')
    const cells = cellsOf(line)
    expect(cells[3]).toBe('a\\u003b"=1+1;b')
    expect(JSON.parse(cells[8] ?? '')).toEqual({ name })
  })

  test('refuses the invalid filters of the list, and paging', async () => {
    for (const query of ['action=File', 'limit=1', 'cursor=x']) {
      expect((await admin.raw(`/api${endpoint.path}?${query}`)).status).toBe(400)
    }
  })

  test('needs the permission to manage settings, and is recorded in the audit log once it is sent', async () => {
    const user = await buildUser(server)
    expect(await failure(await user.raw(`/api${endpoint.path}`))).toEqual({ status: 403, error: 'forbidden' })
    const key = await buildKey(server, admin, ['settings:manage'])
    expect((await key.raw(`/api${endpoint.path}`, { method: 'HEAD' })).status).toBe(200)
    const ofKey = async () => {
      await server.deps.journal.flush()
      return (await admin.call(listAudit, { action: 'audit.export' })).events.filter(({ key_id }) => key_id === key.id)
    }
    expect(await ofKey()).toEqual([])
    await (await key.raw(`/api${endpoint.path}?action=file&item_id=7`)).text()
    expect(await ofKey()).toMatchObject([{ actor_id: admin.id, detail: { action: 'file', item_id: '7' } }])
  })

  test('reads events page by page while it is sent', async () => {
    await plant(
      'test.pages',
      Array.from({ length: 5000 }, () => ({})),
    )
    const { db } = server.deps
    let reads = 0
    const counting: typeof db = {
      ...db,
      rows: (sql, bind) => {
        reads += 1
        return db.rows(sql, bind)
      },
    }
    const csv = exportAudit(counting, { action: 'test.pages' })
    await csv.next()
    expect(reads).toBe(0)
    await csv.next()
    // The first thousand or so of the 5,000 events, which are read in slices.
    expect(reads).toBeGreaterThan(0)
    expect(reads).toBeLessThan(8)
    await csv.return(undefined)
  })
})

describe('a shell', () => {
  test('is never started: the server’s only other program is its own, and no user’s text is among its arguments', () => {
    expect(sourcesWith(/child_process/)).toEqual(['src/files/thumbnail/process.ts'])
    const [{ text = '' } = {}] = serverSources().filter(({ path }) => path === 'src/files/thumbnail/process.ts')
    expect(text.match(/\bspawn\(.*\)/g)).toEqual([
      "spawn(process.execPath, [findInDist('draw-thumbnail.js')], { env, stdio: 'pipe' })",
    ])
  })
})
