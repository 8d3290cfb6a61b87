/** The permissions that keys can have, from the server. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { keyPermissionsQuery } from '../../../lib/data/keys.ts'
import { reasonOf } from '../../../lib/server/call.ts'
import { ErrorStrip } from '../../../ui/error-strip.tsx'
import prose from './prose.module.css'
import { Section, Table, Text } from './prose.tsx'

export function Permissions() {
  const { data = [], error, errorUpdateCount, refetch } = useQuery(keyPermissionsQuery)
  const [dismissed, setDismissed] = useState(0)
  return (
    <div className={prose.page}>
      {error && errorUpdateCount > dismissed && (
        <ErrorStrip
          title="Failed to load permissions"
          reason={reasonOf(error)}
          onRetry={() => void refetch()}
          onDismiss={() => setDismissed(errorUpdateCount)}
        />
      )}
      <Section title="What your keys can be given">
        <Text>
          A key does what its permissions allow, and nothing else. You can give to it what you may do yourself.
        </Text>
        <Table
          head={['Permission', 'Name', 'What it allows']}
          rows={data.map(({ key, name, description }) => [`\`${key}\``, name, description])}
        />
      </Section>
    </div>
  )
}
