/** Who shares, until when, and how often it may still be downloaded. */
import type { ReactNode } from 'react'
import type { LinkInfo } from '../../src/api/visits.ts'
import { formatDate, formatFullDate } from '../lib/words/format-date.ts'
import styles from './facts.module.css'

interface FactsProps {
  info: LinkInfo
  /** Facts that come before these. */
  before?: ReactNode
}

const downloadsLeft = (left: number): string => {
  if (left === 0) return 'No downloads left'
  return left === 1 ? '1 download left' : `${left.toLocaleString('en-US')} downloads left`
}

export function Facts({ info: { level, from, expires_at, downloads_left }, before }: FactsProps) {
  return (
    <p className={styles.facts}>
      {before && <span>{before}</span>}
      {from !== null && (
        <span className={styles.from} title={from}>
          {level === 'upload' ? 'For' : 'From'} <bdi>{from}</bdi>
        </span>
      )}
      {expires_at !== null && (
        <span title={formatFullDate(expires_at)}>Until {formatDate(expires_at).replace(/^T/, 't')}</span>
      )}
      {downloads_left !== null && <span>{downloadsLeft(downloads_left)}</span>}
    </p>
  )
}
