/** nginx of the distribution, with its module for WebDAV. */
import { createHash, randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { askProgram, type Peer, PeerAbsent, type PeerSetup, user } from './peer.ts'

/** A line of nginx's file of passwords. Salted SHA-1 is the cheapest kind to check that is not plain text. */
function passwordLine(): string {
  const salt = randomBytes(8)
  const hash = createHash('sha1').update(user.password).update(salt).digest()
  return `${user.name}:{SSHA}${Buffer.concat([hash, salt]).toString('base64')}\n`
}

/** Debian's configuration without TLS, with all paths in `home`. */
const configOf = ({ data, home, port }: PeerSetup): string => `
daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes auto;
pid ${home}/nginx.pid;
error_log ${home}/error.log;
events { worker_connections 768; }
http {
  sendfile on;
  tcp_nopush on;
  gzip on;
  access_log ${home}/access.log;
  default_type application/octet-stream;
  client_max_body_size 0;
  client_body_temp_path ${home}/body;
  proxy_temp_path ${home}/proxy;
  fastcgi_temp_path ${home}/fastcgi;
  uwsgi_temp_path ${home}/uwsgi;
  scgi_temp_path ${home}/scgi;
  server {
    listen 127.0.0.1:${port};
    root ${data.folder};
    dav_methods PUT;
    auth_basic files;
    auth_basic_user_file ${home}/passwords;
  }
}
`

export async function findNginx(setup: PeerSetup): Promise<Peer> {
  const about = await askProgram('nginx', ['-V'], 'nginx is not installed: apt-get install nginx')
  if (!about.includes('http_dav_module')) throw new PeerAbsent('nginx has no module for WebDAV')
  const config = join(setup.home, 'nginx.conf')
  await writeFile(config, configOf(setup))
  await writeFile(join(setup.home, 'passwords'), passwordLine())
  return {
    name: `nginx ${/nginx\/(\S+)/.exec(about)?.[1]}`,
    path: '',
    uploadStatus: 201,
    program: { file: 'nginx', args: ['-p', setup.home, '-e', join(setup.home, 'error.log'), '-c', config] },
  }
}
