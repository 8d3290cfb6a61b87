/** A summary of the API: its address, formats and limits. */
import { IconExternalLink } from '@tabler/icons-react'
import { defaultRateLimits, maxRateLimits } from '../../../../src/api/limits.ts'
import { apiUrl, pageConfig } from '../../../lib/server/config.ts'
import { formatLimit } from '../../../lib/words/format-size.ts'
import { CodeBlock } from './code-block.tsx'
import styles from './overview.module.css'
import prose from './prose.module.css'
import { Section, Table, Text } from './prose.tsx'
import { apiBase } from './server-address.ts'

const calls = [
  ['GET /files', 'Lists a folder: `files`, `folders`, `total`', 'files:read'],
  ['POST /files/upload', 'Uploads the multipart field `file`; 201 with `file.id`', 'files:upload'],
  ['GET /files/search?q=', 'Finds files by a part of their name', 'files:search'],
  ['GET /files/{id}/download', "A file's bytes", 'files:read'],
  ['GET /files/{id}/preview', 'The same for showing in a browser', 'files:read'],
  ['POST /files/folders', 'Makes a folder', 'files:write'],
  ['PUT /files/{id}/move', 'Moves an item into another folder', 'files:write'],
  ['PUT /files/{id}/trash', 'Moves an item to the trash', 'files:delete'],
  ['POST /tags/tag-files', 'Puts a tag on files', 'tags:write'],
  ['POST /auth/api-keys', 'Makes another key', 'api-keys:manage'],
] as const

const envelope = `{
  "success": true,
  "message": "OK",
  "data": { "files": [], "folders": [], "total": 0 }
}`

const failure = `{
  "success": false,
  "message": "File not found",
  "error": "not_found",
  "request_id": "7f9c24e8-3b12-4fef-91e0-56a2d5a0c1f7"
}`

const errors = [
  ['400', 'Something in the input is wrong; `fields` says what'],
  ['401', 'No key, or a wrong, expired or disabled one'],
  ['403', 'The key lacks the permission'],
  ['404', 'It is not there, or not yours, or in the trash'],
  ['409', 'In conflict with what is there, such as a name that is taken'],
  ['413', 'Too large for the server or for your quota'],
  ['429', 'Too many requests: wait for as many seconds as `Retry-After` says'],
] as const

const inWords = ({ minute, hour, day }: Record<'minute' | 'hour' | 'day', number>): string =>
  [`${minute.toLocaleString('en-US')} a minute`, `${hour.toLocaleString('en-US')} an hour`]
    .concat(`${day.toLocaleString('en-US')} a day`)
    .join(', ')

const limits = [
  ['Requests of a key', `${inWords(defaultRateLimits)}, unless it was made with others`],
  ['The most a key can have', inWords(maxRateLimits)],
  ['A file', `${formatLimit(pageConfig.max_file_size)}, and what your quota leaves`],
  ['The trash', `Items are deleted for good after ${pageConfig.trash_retention_days} days`],
] as const

export function Overview() {
  return (
    <div className={prose.page}>
      <Section title="Base URL">
        <CodeBlock label="Base URL" code={apiBase} />
        <Text>
          Input is JSON or, for GET and DELETE, the query; an upload is `multipart/form-data`. Times are ISO 8601 in
          UTC, sizes are bytes. A folder is named by its id; without `parent_id` it is the root.
        </Text>
        <a className={styles.link} href={apiUrl('/openapi.json')} target="_blank" rel="noreferrer">
          All calls as an OpenAPI 3.1 document
          <IconExternalLink size={16} stroke={1.75} aria-hidden />
        </a>
      </Section>
      <Section title="Calls">
        <Table
          head={['Call', 'What it does', 'Permission']}
          rows={calls.map(([name, what, permission]) => [`\`${name}\``, what, `\`${permission}\``])}
        />
      </Section>
      <Section title="Answers">
        <Text>
          Every answer but the bytes of files is JSON in the same envelope. What a call answers is its `data`:
        </Text>
        <CodeBlock label="An answer" code={envelope} />
        <Text>A failure says what went wrong. Decide by `error` or the status, and show `message` to people:</Text>
        <CodeBlock label="A failure" code={failure} />
        <Table head={['Status', 'Meaning']} rows={errors} />
      </Section>
      <Section title="Limits">
        <Table head={['What', 'How much']} rows={limits} />
        <Text>
          Every answer to a key has `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset`, in seconds. Device
          keys, which the terminal client makes when you sign in with it, have no such limit.
        </Text>
      </Section>
    </div>
  )
}
