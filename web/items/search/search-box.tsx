/**
 * The search box: searches after a pause in typing, or at once on Enter. `/` focuses it; clearing it ends the search.
 */
import { IconSearch, IconX } from '@tabler/icons-react'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import { minSearchLength } from '../../../src/api/limits.ts'
import { isSearchable } from '../../../src/api/search-text.ts'
import { useMay } from '../../lib/server/permissions.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './search-box.module.css'
import { followQuery, handOver, searchSoon, stopSearch, takeOver, useSearchText } from './search-text.ts'
import { endTypeAhead } from './type-ahead.ts'
import { useSearch, useSearchStop } from './use-search.ts'
import { useSlashKey } from './use-slash-key.ts'

interface SearchBoxProps {
  /** The text in the address; empty when the address is no search. */
  query: string
  /** Whether it takes the focus when it is mounted. */
  takesFocus?: boolean
}

export function SearchBox({ query, takesFocus = false }: SearchBoxProps) {
  const hintId = useId()
  const input = useRef<HTMLInputElement>(null)
  const text = useSearchText(state => state.text)
  const search = useSearch()
  const isPhone = usePhone()
  const maySearch = useMay('files:search')
  useLayoutEffect(() => followQuery(query), [query])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it comes and goes
  useLayoutEffect(() => {
    const box = input.current
    if (box === null) return
    takeOver(box)
    if (takesFocus) box.focus()
    const typed = endTypeAhead()
    const searchTyped = () => search(useSearchText.getState().text)
    if (typed === 'now') searchTyped()
    else if (typed === 'soon') searchSoon(searchTyped)
    return () => {
      if (document.activeElement === box) handOver(box)
    }
  }, [])
  useSlashKey(() => {
    input.current?.focus()
    input.current?.select()
  })
  useSearchStop()
  const [isTooShort, setTooShort] = useState(false)

  const change = (next: string) => {
    useSearchText.setState({ text: next })
    setTooShort(false)
    if (next.trim() === '') search(next)
    else searchSoon(() => search(next))
  }
  if (!maySearch) return null
  return (
    <form
      role="search"
      className={styles.box}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setTooShort(false)
      }}
      onSubmit={event => {
        event.preventDefault()
        stopSearch()
        setTooShort(!isSearchable(text))
        search(text)
      }}
    >
      <IconButton
        type="submit"
        label="Search"
        icon={IconSearch}
        size={isPhone ? 'lg' : 'xs'}
        iconSize={isPhone ? 20 : 16}
        className={styles.submit}
      />
      <input
        ref={input}
        type="search"
        className={styles.input}
        aria-label="Search files"
        aria-keyshortcuts="/"
        aria-describedby={isTooShort ? hintId : undefined}
        placeholder={`Search (min ${minSearchLength} characters)`}
        value={text}
        maxLength={1000}
        spellCheck={false}
        autoComplete="off"
        enterKeyHint="search"
        onChange={event => change(event.currentTarget.value)}
        onKeyDown={event => {
          if (event.key === 'ArrowDown' && focusList()) event.preventDefault()
          if (event.key !== 'Escape') return
          event.preventDefault()
          if (text === '') event.currentTarget.blur()
          else change('')
        }}
      />
      {text === '' ? (
        <kbd className={styles.key} aria-hidden>
          /
        </kbd>
      ) : (
        <IconButton
          label="Clear search"
          icon={IconX}
          size={isPhone ? 'lg' : 'xs'}
          className={styles.clear}
          onClick={() => {
            change('')
            input.current?.focus()
          }}
        />
      )}
      <span role="status">
        {isTooShort && (
          <span id={hintId} className={styles.hint}>
            Type at least {minSearchLength} characters
          </span>
        )}
      </span>
    </form>
  )
}

/** Whether there is an item to go on to. */
function focusList(): boolean {
  const item = document.querySelector<HTMLElement>('main [role="grid"] [data-index][tabindex="0"]')
  item?.focus()
  return item !== null
}
