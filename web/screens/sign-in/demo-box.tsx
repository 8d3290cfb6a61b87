/** The accounts of `filestore serve --demo`; a click on one fills in the form. */
import { UnstyledButton } from '@mantine/core'
import type { DemoAccount } from '../../../src/api/page.ts'
import { pageConfig } from '../../lib/server/config.ts'
import { Badge } from '../../ui/badge.tsx'
import styles from './demo-box.module.css'

export function DemoBox({ onUse, disabled }: { onUse: (account: DemoAccount) => void; disabled: boolean }) {
  if (pageConfig.demo_accounts.length === 0) return null
  return (
    <section className={styles.box} aria-labelledby="demo-accounts">
      <h2 id="demo-accounts" className={styles.title}>
        Demo accounts
      </h2>
      {pageConfig.demo_accounts.map(account => (
        <UnstyledButton
          key={account.username}
          className={styles.account}
          disabled={disabled}
          onClick={() => onUse(account)}
        >
          <span className={styles.role}>
            <Badge tone={account.role === 'Admin' ? 'accent' : 'grey'}>{account.role}</Badge>
          </span>
          <span className={styles.name}>{account.username}</span>
          <span className={styles.password}>{account.password}</span>
          <span className={styles.use}>Use</span>
        </UnstyledButton>
      ))}
    </section>
  )
}
