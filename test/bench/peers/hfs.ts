/** HFS, from npm or from a folder. */
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { execa } from 'execa'
import { type Peer, PeerAbsent, type PeerSetup, user } from './peer.ts'

/** Installs HFS into a folder; returns the folder of its package. */
async function install(folder: string): Promise<string> {
  const { failed } = await execa(
    'npm',
    ['install', 'hfs', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund'],
    { reject: false },
  )
  if (failed) throw new PeerAbsent('npm cannot install HFS: name its folder by --hfs')
  return join(folder, 'node_modules/hfs')
}

async function readVersion(folder: string): Promise<string> {
  try {
    return (JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string }).version
  } catch {
    throw new PeerAbsent(`${folder} has no package.json, so it is no HFS`)
  }
}

const configOf = ({ data, port }: PeerSetup) => ({
  port,
  listen_interface: '127.0.0.1',
  open_browser_at_start: false,
  // HFS logs no requests from its own machine, where no user is.
  dont_log_net: '',
  accounts: { [user.name]: { password: user.password } },
  vfs: {
    children: [
      {
        name: 'files',
        source: data.folder,
        ...Object.fromEntries(['can_see', 'can_list', 'can_read', 'can_upload'].map(right => [right, [user.name]])),
      },
    ],
  },
})

export async function findHfs(setup: PeerSetup): Promise<Peer> {
  const folder = setup.hfs === undefined ? await install(setup.home) : resolve(setup.hfs)
  const version = await readVersion(folder)
  // JSON is YAML, too.
  await writeFile(join(setup.home, 'config.yaml'), JSON.stringify(configOf(setup)))
  return {
    name: `HFS ${version}`,
    path: '/files',
    uploadStatus: 200,
    program: { file: process.execPath, args: [join(folder, 'src/index.js'), '--cwd', setup.home] },
  }
}
