/** A product of others, which serves a folder and takes uploads by PUT. */
import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { putBytes } from '../client.ts'
import { bodyRequest } from '../load.ts'
import type { Measuring } from '../options.ts'
import { password } from '../product.ts'
import { type Contestant, lanes, newName, smallSize } from './contestant.ts'
import { countFiles, type DataFolder, removeLargeFiles } from './data-folder.ts'
import { type Program, searchPath, startPeerProcess } from './peer-process.ts'

/** The account of every peer; its password is filestore's. */
export const user = { name: 'bench', password }

/** What a peer needs to be set up. */
export interface PeerSetup extends Pick<Measuring, 'hfs' | 'copyparty'> {
  data: DataFolder
  /** An empty folder for the peer's configuration, logs and temporary files, beside the data. */
  home: string
  port: number
}

export interface Peer {
  /** With the version. */
  name: string
  /** The path of the data folder on the server, without a slash at its end. */
  path: string
  /** The status of the answer to an upload. */
  uploadStatus: number
  program: Program
}

/** Why a peer takes no part, with what to do about it. */
export class PeerAbsent extends Error {}

/** Runs a program; returns all that it prints. Throws `PeerAbsent` with the advice if it cannot be run. */
export async function askProgram(file: string, args: readonly string[], advice: string): Promise<string> {
  const { all, failed } = await execa(file, args, { all: true, env: searchPath, reject: false })
  if (failed) throw new PeerAbsent(advice)
  return all
}

const basic = `Basic ${Buffer.from(`${user.name}:${user.password}`).toString('base64')}`

/** Makes a contestant of a peer, with a folder of its own for uploads. No known peer syncs what it has written. */
export async function peerContestant(peer: Peer, { data, home, port }: PeerSetup): Promise<Contestant> {
  const { name, path, uploadStatus, program } = peer
  const uploadFolder = `uploads-${port}`
  const uploads = join(data.folder, uploadFolder)
  await mkdir(uploads)
  const headers = { authorization: basic }
  const pathOf = (file: string) => `${path}/${file}`
  const newPath = () => pathOf(`${uploadFolder}/${newName()}`)
  return {
    name,
    syncs: false,
    headers,
    start: () => startPeerProcess(program, home, { url: `http://127.0.0.1:${port}`, headers }, pathOf(data.readyFile)),
    smallUploads: [
      {
        name: '',
        filesPerRequest: 1,
        lanes,
        status: uploadStatus,
        build: async (target, count) =>
          Array.from({ length: count }, () => bodyRequest(target, 'PUT', newPath(), randomBytes(smallSize))),
      },
    ],
    countUploads: () => countFiles(uploads),
    smallFiles: data.smallFiles.map(pathOf),
    largeFile: pathOf(data.largeFile),
    largeBytes: join(data.folder, data.largeFile),
    sendLarge: (target, size) => putBytes(target, newPath(), size),
    clearLarge: () => removeLargeFiles(uploads),
  }
}
