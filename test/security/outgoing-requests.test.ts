/** The server makes no outgoing requests: it never visits an address that a user gives, wherever it stands. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { updateProfile } from '../../src/api/auth.ts'
import { setFileMetadata } from '../../src/api/files.ts'
import { createTag } from '../../src/api/tags.ts'
import { openClient } from '../support/client.ts'
import { type BuiltUser, buildField, buildFile, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import { serverSources, sourcesWith } from '../support/sources.ts'
import type { TestServer } from '../support/test-server.ts'
import { sendWire } from '../support/wire.ts'

let server: TestServer
let user: BuiltUser
/** A server that counts connections to it. */
let bait: Server
let visits = 0
let address: string
beforeAll(async () => {
  bait = createServer((_request, response) => response.end('caught')).on('connection', () => {
    visits += 1
  })
  await new Promise<void>(resolve => bait.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(bait.address() as AddressInfo).port}/secret`
  server = await startServer()
  user = await buildUser(server, { role: 'admin' })
})
afterAll(async () => {
  bait.close()
  await server.close()
})

test('an address in a name, a value, a tag, a header or a file is never visited', async () => {
  const { id } = await buildFile(user, { name: address.replaceAll('/', '\\') })
  const field = await buildField(user, { field_type: 'url' })
  await user.call(setFileMetadata, { id, metadata: [{ field_id: field.id, value: address }] })
  await user.call(createTag, { name: address, color: '#3B82F6' })
  await user.call(updateProfile, { full_name: address, email: `a@${new URL(address).host}` })
  const { host } = new URL(address)
  for (const path of ['/', '/api/files', '/api/openapi.json', `/?url=${address}`, address]) {
    const headers = { ...user.headers, host, 'x-forwarded-host': host, referer: address, 'x-original-url': address }
    await sendWire(server.url, { path, headers })
  }
  const drawn = [
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9"><image href="${address}" xlink:href="${address}" width="9" height="9"/></svg>`,
    `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "${address}">]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&x;</text></svg>`,
    `<?xml-stylesheet href="${address}"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><style>@import url(${address});</style></svg>`,
  ]
  for (const [n, content] of drawn.entries()) {
    const image = await buildFile(user, { name: `bait-${n}.svg` }, content)
    for (const act of ['thumbnail', 'preview', 'download']) {
      await (await user.raw(`/api/files/${image.id}/${act}`)).arrayBuffer()
    }
  }
  expect(visits).toBe(0)
  expect(await (await openClient(address).raw('')).text()).toBe('caught')
  expect(visits).toBe(1)
})

test('only the client of the object store makes requests, to the address that the administrator has set', () => {
  const clients =
    /\bfetch\(|\bnew (WebSocket|EventSource|XMLHttpRequest|Socket)\b|\b(https?|net|tls)\.(request|get|connect)\(/
  const libraries = /from '(undici|aws4fetch|axios|got|node-fetch|ky|superagent|nodemailer|needle|request)'/
  expect([...new Set([...sourcesWith(clients), ...sourcesWith(libraries)])]).toEqual(['src/blobs/s3/client.ts'])
  const network = /import (type )?\{([^}]*)\} from 'node:(https?|http2|net|tls|dns|dgram)(?:\/promises)?'/g
  const taken = serverSources().flatMap(({ text }) =>
    [...text.matchAll(network)].flatMap(([, isType, names = '']) =>
      isType === undefined ? names.split(',').map(name => name.trim()) : [],
    ),
  )
  const values = new Set(taken.filter(name => name !== '' && !name.startsWith('type ')))
  expect([...values].sort()).toEqual(['IncomingMessage', 'createServer', 'isIP', 'isIPv6'])
})
