/** Runs a real nginx in front of a test's servers, with the configuration files of deploy/. */

import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { execa, type ResultPromise } from 'execa'
import type { TestContext } from 'vitest'
import { findFreePort } from './free-port.ts'
import { skipBecause } from './skip.ts'
import type { TestServer } from './test-server.ts'

/** A proxy that runs in front of a test's servers. */
export interface Balancer {
  url: string
  stop(): Promise<void>
}

export interface NginxProcess extends Balancer {
  /** The log of each answer: the path, the bytes that came from the server behind nginx, and the bytes sent. */
  sent(): Promise<string[]>
}

const deploy = join(import.meta.dirname, '../../deploy')

/** The location of deploy/nginx.conf that proxies to the server, with another port. */
async function readProxy(port: string): Promise<string> {
  const [location] =
    / {2}location \/ \{\n {4}proxy_pass[^}]*\}/.exec(await readFile(join(deploy, 'nginx.conf'), 'utf8')) ?? []
  if (location === undefined) throw new Error('deploy/nginx.conf leads nowhere')
  return location.replace('127.0.0.1:8080', `127.0.0.1:${port}`)
}

/** The site of one server, which nginx hands its downloads. */
async function siteOf({ url, dataDir }: TestServer, listen: string): Promise<string> {
  const downloads = await readFile(join(deploy, 'nginx-downloads.conf'), 'utf8')
  return `server {
    ${listen}
    ${await readProxy(new URL(url).port)}
    ${downloads.replace('/var/lib/filestore', dataDir)}
  }`
}

/** The site of deploy/nginx-nodes.conf without HTTPS, for servers at these addresses (`127.0.0.1:8080`). */
async function siteOfNodes(addresses: readonly string[], start: string): Promise<string> {
  const config = await readFile(join(deploy, 'nginx-nodes.conf'), 'utf8')
  const [upstream = '', , site = ''] = config.split(/(?=^server \{)/m)
  const [first = '', ...options] = /server 10\.0\.0\.11:8080(.*);/.exec(upstream) ?? []
  if (first === '') throw new Error('deploy/nginx-nodes.conf leads nowhere')
  const servers = addresses.map(address => `server ${address}${options.join('')};`)
  const withoutHttps = site.replaceAll(/^ {2}(listen|http2|server_name|ssl_\w+) .*\n/gm, '')
  return `upstream filestore { least_conn; ${servers.join(' ')} }
    ${withoutHttps.replace('server {', `server { ${start}`)}`
}

async function writeConfig(folder: string, site: string): Promise<void> {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off;
    pid nginx.pid;
    error_log stderr notice;
    # Where root starts it, its workers read the files by their group, as on a server.
    ${process.getuid?.() === 0 ? 'user nobody root;' : ''}
    # Two for each request; some tests have hundreds under way.
    events { worker_connections 4096; }
    http {
      ${temporary.map(name => `${name}_temp_path ${name};`).join(' ')}
      log_format sent '$request_uri $upstream_response_length $body_bytes_sent';
      access_log access.log sent;
      # As Debian has it, for text/html.
      gzip on;
      ${site}
    }`,
  )
}

/** Sets the permissions that docs/admin.md describes: the group may pass through the folders, but may not list them. */
async function letGroupThrough(dataDir: string): Promise<void> {
  const blobs = join(dataDir, 'storage', 'blobs')
  const shelves = (await readdir(blobs)).map(name => join(blobs, name))
  for (const folder of [dataDir, join(dataDir, 'storage'), blobs, ...shelves]) await chmod(folder, 0o710)
}

/** Waits for the log line after which nginx answers; its sockets are open earlier. */
const isReady = (child: ResultPromise): Promise<void> =>
  new Promise((resolve, reject) => {
    const lines: string[] = []
    const reader = createInterface({ input: child.stderr as NodeJS.ReadableStream })
    reader.on('line', line => {
      lines.push(line)
      if (line.includes('start worker process ')) resolve()
    })
    reader.on('close', () => reject(new Error(`nginx did not start: ${lines.join('\n')}`)))
  })

/** Starts nginx in front of a server, whose downloads it sends. Skips the test as `run`. */
export async function startNginx(context: TestContext, server: TestServer): Promise<NginxProcess> {
  const nginx = await run(context, listen => siteOf(server, listen))
  await letGroupThrough(server.dataDir)
  return nginx
}

/** Lets the test name its clients' addresses, as a proxy in front of nginx would. */
const takeAddresses = 'set_real_ip_from 127.0.0.1; real_ip_header X-Forwarded-For;'

/** Starts nginx in front of several servers, perhaps behind the test as its proxy. Skips the test as `run`. */
export const startBalancer = (
  context: TestContext | null,
  addresses: readonly string[],
  isBehindTest = false,
): Promise<Balancer> =>
  run(context, listen => siteOfNodes(addresses, isBehindTest ? `${listen} ${takeAddresses}` : listen))

/** Starts nginx as many set it up: with a limit of 1 MB for bodies, which is its default. Skips the test as `run`. */
export const startSmallNginx = (context: TestContext, { url }: Pick<TestServer, 'url'>): Promise<NginxProcess> =>
  run(
    context,
    async listen => `server { ${listen} location / { proxy_pass ${url}; proxy_set_header Host $http_host; } }`,
  )

/** Skips the test when no nginx is installed; without a test it throws. */
async function run(context: TestContext | null, siteFor: (listen: string) => Promise<string>): Promise<NginxProcess> {
  if ((await execa('nginx', ['-v'], { reject: false })).failed) {
    if (context === null) throw new Error('nginx is not installed: .ci/tools')
    skipBecause('nginx is not installed: .ci/tools', context)
  }
  const folder = await mkdtemp(join(tmpdir(), 'filestore-nginx-'))
  // Its workers buffer bodies in folders below.
  await chmod(folder, 0o710)
  const port = await findFreePort()
  await writeConfig(folder, await siteFor(`listen 127.0.0.1:${port};`))
  const child = execa('nginx', ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr'], { reject: false })
  await isReady(child)
  return {
    url: `http://127.0.0.1:${port}`,
    sent: async () => (await readFile(join(folder, 'access.log'), 'utf8')).trim().split('\n'),
    stop: async () => {
      child.kill('SIGTERM')
      await child
      await rm(folder, { recursive: true, force: true })
    },
  }
}
