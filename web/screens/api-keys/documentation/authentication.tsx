/** The ways to send a key, each as a command that works once a key is inserted. */
import { folderPermissions } from '../../../../src/api/keys.ts'
import { keyIdPrefix, keySecretPrefix } from '../../../../src/api/limits.ts'
import { CodeBlock } from './code-block.tsx'
import prose from './prose.module.css'
import { Section, Text } from './prose.tsx'
import { apiBase } from './server-address.ts'

const id = `${keyIdPrefix}…`
const secret = `${keySecretPrefix}…`

const ways = [
  {
    title: 'Two headers',
    text: 'The plainest way, and the one that the examples use most.',
    code: `curl '${apiBase}/auth/profile' \\\n  -H 'X-API-Key-ID: ${id}' \\\n  -H 'X-API-Secret: ${secret}'`,
  },
  {
    title: 'HTTP Basic',
    text: 'For tools that know only a username and a password: the key ID is the one, the secret the other.',
    code: `curl '${apiBase}/auth/profile' \\\n  -u '${id}:${secret}'`,
  },
  {
    title: 'Bearer token',
    text: 'Key ID and secret with a colon between them.',
    code: `curl '${apiBase}/auth/profile' \\\n  -H 'Authorization: Bearer ${id}:${secret}'`,
  },
]

export function Authentication() {
  return (
    <div className={prose.page}>
      <Section title="API keys">
        <Text>
          {`A key has an ID, which begins with \`${keyIdPrefix}\`, and a secret, which begins with \`${keySecretPrefix}\` and is shown once. ` +
            'Send both with every request, in one of three ways. Each of these commands answers whose key it is and what it may do.'}
        </Text>
      </Section>
      {ways.map(({ title, text, code }) => (
        <Section key={title} title={title}>
          <Text>{text}</Text>
          <CodeBlock label={title} code={code} />
        </Section>
      ))}
      <Section title="What a key can do">
        <Text>
          A key can never do what you cannot: when your role loses a permission, your keys lose it in the same moment.
          It can be disabled and enabled again, and may expire; its permissions, limits and expiration never change.
        </Text>
        <Text>
          {`A key for one folder has that folder as its root: paths begin in it, an absent \`parent_id\` means it, and all else is not found. It can have ${folderPermissions.length} permissions: ${folderPermissions.map(permission => `\`${permission}\``).join(', ')}. Calls about no folder, such as favorites, figures and the trash's list, are refused with 403.`}
        </Text>
        <Text>
          Keep secrets out of programs and repositories. A key that somebody else may have seen is best deleted.
        </Text>
      </Section>
    </div>
  )
}
