/** Folder trees on the disk beside a test server, for `filestore export` and `filestore import`. */
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import type { FileItem } from '../../src/api/items.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { type BuiltUser, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { runOn } from './administration.ts'

/** Too large for the database, so it is in the store. */
export const large = randomBytes(100_000)

export interface Site {
  server: TestServer
  admin: TestClient
  ann: BuiltUser
  /** A path in a folder that is deleted after the test. */
  at(...names: string[]): string
  exportTo(target: string, ...args: string[]): ReturnType<typeof runOn>
  /** Imports into ann's tree. */
  importFrom(source: string, ...args: string[]): ReturnType<typeof runOn>
}

/** Gives each test a server with a user, and a folder. */
export function openTreeSite(): Site {
  const site = {} as Site
  let folder: string
  beforeEach(async () => {
    const server = await startServer()
    folder = await mkdtemp(join(tmpdir(), 'filestore-tree-'))
    Object.assign(site, {
      server,
      admin: await signIn(server.url, server.adminName, server.adminPassword),
      ann: await buildUser(server, { username: 'ann' }),
      at: (...names: string[]) => join(folder, ...names),
      exportTo: (target: string, ...args: string[]) => runOn(server, ['export', target, ...args]),
      importFrom: (source: string, ...args: string[]) => runOn(server, ['import', source, '--user', 'ann', ...args]),
    })
  })
  afterEach(async () => {
    await site.server.close()
    await rm(folder, { recursive: true, force: true })
  })
  return site
}

/** The contents of a user's root, folders first. */
export async function rootOf(client: TestClient): Promise<FileItem[]> {
  const { files, folders } = await client.call(listFiles, {})
  return [...folders, ...files]
}

/** Writes files and their folders on the disk. */
export async function plant(root: string, files: Record<string, string | Buffer>): Promise<void> {
  for (const [path, bytes] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), bytes)
  }
}

/** The content that a user downloads. */
export const bytesOf = async (client: TestClient, file: FileItem | undefined): Promise<Buffer> =>
  Buffer.from(await (await client.raw(`/api/files/${file?.id}/download`)).arrayBuffer())
