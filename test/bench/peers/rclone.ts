/** rclone, which serves a folder over WebDAV. */
import { askProgram, type Peer, type PeerSetup, user } from './peer.ts'

export async function findRclone({ data, home, port }: PeerSetup): Promise<Peer> {
  const about = await askProgram('rclone', ['version'], 'rclone is not installed: apt-get install rclone')
  const options = { '--addr': `127.0.0.1:${port}`, '--user': user.name, '--pass': user.password, '--cache-dir': home }
  return {
    name: `rclone ${/v([\d.]+)/.exec(about)?.[1]}`,
    path: '',
    uploadStatus: 201,
    program: { file: 'rclone', args: ['serve', 'webdav', data.folder, ...Object.entries(options).flat()] },
  }
}
