/** The bar of a search: back to the files, the search box, and the button that shows the filters. */
import { Button } from '@mantine/core'
import { IconArrowLeft, IconFilter } from '@tabler/icons-react'
import { FoldersButton } from '../../items/folders-button.tsx'
import { RefreshButton } from '../../items/list/refresh-button.tsx'
import { BarEnd } from '../../items/search/bar-end.tsx'
import { SearchBox } from '../../items/search/search-box.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './search-bar.module.css'

interface SearchBarProps {
  query: string
  /** Whether there is nothing to show yet, so that the user has come to type. */
  takesFocus: boolean
  /** The number of active filters. */
  filters: number
  isFiltering: boolean
  onToggleFilters: () => void
  onBack: () => void
  onRefresh: () => Promise<unknown>
}

export function SearchBar(props: SearchBarProps) {
  const isPhone = usePhone()
  return (
    <div className={styles.bar}>
      {isPhone ? (
        <IconButton label="Back to Files" icon={IconArrowLeft} iconSize={20} size="lg" onClick={props.onBack} />
      ) : (
        <>
          <FoldersButton />
          <Button
            variant="default"
            className={styles.back}
            leftSection={<IconArrowLeft size={16} stroke={1.75} aria-hidden />}
            onClick={props.onBack}
          >
            Back to Files
          </Button>
          <span className={styles.room} />
        </>
      )}
      <SearchBox query={props.query} takesFocus={props.takesFocus} />
      <BarEnd>
        {!isPhone && <RefreshButton onRefresh={props.onRefresh} />}
        <FiltersButton {...props} />
      </BarEnd>
    </div>
  )
}

function FiltersButton({ filters, isFiltering, onToggleFilters }: SearchBarProps) {
  const isPhone = usePhone()
  const label = filters === 0 ? 'Filters' : `Filters, ${filters} in force`
  return (
    <Button
      variant="default"
      size={isPhone ? 'lg' : 'sm'}
      className={styles.filters}
      data-pressed={isFiltering || undefined}
      leftSection={<IconFilter size={isPhone ? 20 : 16} stroke={1.75} aria-hidden />}
      aria-label={label}
      aria-expanded={isFiltering}
      onClick={onToggleFilters}
    >
      {!isPhone && 'Filters'}
      {/* Drawn by the style: with the number as text, the visible label would not begin the accessible name. */}
      {filters > 0 && <span className={styles.count} data-count={filters} />}
    </Button>
  )
}
