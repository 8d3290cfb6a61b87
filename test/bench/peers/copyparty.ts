/** copyparty, if a copy is named. */
import { resolve } from 'node:path'
import { askProgram, type Peer, PeerAbsent, type PeerSetup, user } from './peer.ts'

export async function findCopyparty({ data, home, port, copyparty }: PeerSetup): Promise<Peer> {
  if (copyparty === undefined) throw new PeerAbsent('no copy of copyparty is named: --copyparty <file>')
  const path = resolve(copyparty)
  const [file, ...first] = path.endsWith('.py') ? ['python3', path] : [path]
  const about = await askProgram(file, [...first, '--version'], `${path} cannot be run`)
  const volume = `${data.folder}::rw,${user.name}`
  return {
    name: `copyparty ${/copyparty v([\d.]+)/.exec(about)?.[1]}`,
    path: '',
    uploadStatus: 201,
    program: {
      file,
      args: [...first, '-i', '127.0.0.1', '-p', String(port), '-a', `${user.name}:${user.password}`, '-v', volume],
      // It unpacks itself into the temporary folder, and keeps its settings in the other.
      env: { TMPDIR: home, XDG_CONFIG_HOME: home, PYTHONDONTWRITEBYTECODE: '1' },
    },
  }
}
