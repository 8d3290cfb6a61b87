/** The terminal browser in a huge folder: the time from a key to its frame. */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { execa } from 'execa'
import { createApiKey } from '../../src/api/keys.ts'
import type { Client } from './client.ts'
import { summarize } from './measure.ts'
import type { Measuring } from './options.ts'
import { changeRows } from './place.ts'
import { plantEntries, plantFolder } from './plant.ts'
import { binary, password, withPlace, withProduct } from './product.ts'
import type { Row } from './table.ts'

const pageDown = '\u001b[6~'
/** Rows that a page key moves in a terminal of 24 lines. */
const pageRows = 17

interface Screen {
  /** Sends a key; returns the ms until the last line says that the cursor is on this row. */
  press(key: string, row: number): Promise<number>
  close(): Promise<void>
}

/** Starts `filestore browse` on a pseudo-terminal of 80×24. */
async function openScreen({ url, call }: Client, path: string, count: number): Promise<Screen> {
  const home = await mkdtemp(join(tmpdir(), 'filestore-bench-browse-'))
  const key = await call(createApiKey, {
    name: 'bench',
    kind: 'device',
    current_password: password,
    permissions: ['files:read'],
  })
  const command = `stty cols 80 rows 24; exec '${process.execPath}' '${binary}' browse '${path}'`
  const running = execa('script', ['-qefc', command, '/dev/null'], {
    env: {
      HOME: home,
      TERM: 'xterm',
      FILESTORE_URL: url,
      FILESTORE_API_KEY_ID: key.key_id,
      FILESTORE_API_SECRET: key.secret,
    },
    reject: false,
  })
  let drawn = ''
  running.stdout.setEncoding('utf8').on('data', (text: string) => {
    drawn += text
  })
  const ended = running.then(({ exitCode }) => {
    throw new Error(`browse ended with ${exitCode}`)
  })
  // Only a wait for a frame fails when the browser ends.
  ended.catch(() => undefined)
  const stands = async (row: number) => {
    while (!drawn.includes(` ${row} of ${count} `)) await Promise.race([once(running.stdout, 'data'), ended])
  }
  await stands(1)
  return {
    async press(key, row) {
      drawn = ''
      const start = performance.now()
      running.stdin.write(key)
      await stands(row)
      return performance.now() - start
    },
    async close() {
      running.stdin.write('q')
      await running
      await rm(home, { recursive: true, force: true })
    },
  }
}

async function measureScreen(client: Client, count: number, presses: number): Promise<Row[]> {
  const screen = await openScreen(client, '/Huge', count)
  let row = 1
  const press = async (key: string, rows: number) => {
    row += rows
    return screen.press(key, row)
  }
  const sample = async (key: string, rows: number) => {
    const samples: number[] = []
    for (let index = 0; index < presses; index++) samples.push(await press(key, rows))
    return summarize(samples)
  }
  try {
    const bound = { of: 'p95', side: 'at most', limit: 50 } as const
    const name = `in a folder of ${count.toLocaleString('en')}, key to frame`
    return [
      { name: `browse ${name}: a row`, unit: 'ms', value: await sample('j', 1), bound },
      { name: `browse ${name}: a page`, unit: 'ms', value: await sample(pageDown, pageRows), bound },
    ]
  } finally {
    await screen.close()
  }
}

/** Measures how soon the browser answers a key. */
export function measureBrowse(measuring: Measuring): Promise<Row[]> {
  const { isQuick } = measuring
  const count = isQuick ? 10_000 : 100_000
  return withPlace(measuring, async place => {
    await changeRows(place, async (db, owner) => {
      await plantEntries(db, owner, await plantFolder(db, owner, null, 'Huge'), count)
    })
    return withProduct(place, client => measureScreen(client, count, isQuick ? 50 : 300))
  })
}
