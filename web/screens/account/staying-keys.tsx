/** The script keys that a password change keeps, so that the user can delete those that should not remain. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { keysQuery } from '../../lib/data/keys.ts'
import { useAuth } from '../../lib/server/auth-store.ts'
import styles from './staying-keys.module.css'

/** The most names shown; further keys are only counted. */
const most = 8

export function StayingKeys() {
  // Before a required password change the server refuses to list keys.
  const mayAsk = useAuth(({ user }) => user?.permissions.includes('api-keys:manage') && !user.must_change_password)
  const { data = [] } = useQuery({ ...keysQuery, enabled: mayAsk === true })
  const keys = data.filter(({ kind }) => kind === 'script')
  if (keys.length === 0) return null
  const told = keys.slice(0, most)
  return (
    <p className={styles.note}>
      {keys.length === 1 ? 'This script key stays' : 'These script keys stay'}:{' '}
      {told.map(({ id, name }, index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <bdi className={styles.name}>{name}</bdi>
        </Fragment>
      ))}
      {keys.length > told.length && ` and ${keys.length - told.length} more`}. Delete those that you do not trust under{' '}
      <Link to="/api-keys/{-$tab}">API Keys</Link>.
    </p>
  )
}
