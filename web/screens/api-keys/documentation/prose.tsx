/** The text elements of the documentation. */
import type { ReactNode } from 'react'
import styles from './prose.module.css'

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.section}>
      <h2 className={styles.heading}>{title}</h2>
      {children}
    </section>
  )
}

/** A paragraph; text between backticks is code. */
export function Text({ children }: { children: ReactNode }) {
  return <p className={styles.text}>{typeof children === 'string' ? withCode(children) : children}</p>
}

function withCode(text: string): ReactNode[] {
  // Every second part was between backticks.
  return text.split('`').map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never change
    index % 2 === 1 ? <code key={index}>{part}</code> : part,
  )
}

interface TableProps {
  head: readonly string[]
  /** Rows of cells; the first cell names the row. */
  rows: readonly (readonly ReactNode[])[]
}

export function Table({ head, rows }: TableProps) {
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          {head.map(title => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are never moved
          <tr key={row}>
            {cells.map((cell, column) => (
              <td key={head[column]}>{typeof cell === 'string' ? withCode(cell) : cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
