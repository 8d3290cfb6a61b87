/** The search on its sheet: bars, filters, and the results as list or grid. */
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { SortKey } from '../../../src/api/files.ts'
import type { Problem } from '../../items/actions/use-problem.ts'
import { OwnSorting } from '../../items/list/head/list-sorting.ts'
import { PhoneSort } from '../../items/list/head/phone-sort.tsx'
import { ItemList } from '../../items/list/item-list.tsx'
import { ListPane } from '../../items/list/list-pane.tsx'
import type { Listing } from '../../items/list/listing.ts'
import { isSelecting, PhoneSelectionBottom, PhoneSelectionTop } from '../../items/list/selection/phone-selection.tsx'
import { itemActs } from '../../items/list/selection/selection-acts.ts'
import { useListState } from '../../items/list/use-list-state.ts'
import { useBackToFiles } from '../../items/search/use-search.ts'
import { folderRoute } from '../../items/show-in-folder.ts'
import { countFilters, type SearchFilters, type SearchOrder, type SearchParams } from '../../lib/data/search.ts'
import { ErrorStrip } from '../../ui/error-strip.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import { NothingFound } from './nothing-found.tsx'
import { OrderChoice } from './order-choice.tsx'
import { SearchBar } from './search-bar.tsx'
import { SearchFiltersPanel } from './search-filters.tsx'
import { type Found, SearchHeading } from './search-heading.tsx'

interface SearchViewProps {
  params: SearchParams
  listing: Listing
  /** Null while unknown. */
  found: Found | null
  /** Whether the text is long enough to search. */
  isAsked: boolean
  isWaiting: boolean
  isStale: boolean
  isArrived: boolean
  problem: Problem | null
  dismiss: () => void
  reload: () => Promise<unknown>
  onFilter: (change: SearchFilters & SearchOrder) => void
}

export function SearchView(props: SearchViewProps) {
  const { params, found, isAsked, isWaiting, problem, onFilter } = props
  const isPhone = usePhone()
  const navigate = useNavigate()
  const back = useBackToFiles()
  const state = useListState(props.listing, null)
  const { actions } = state
  const filters = countFilters(params)
  const [isFiltering, setFiltering] = useState(filters > 0 && params.q !== '')
  const bar = {
    filters,
    isFiltering,
    onToggleFilters: () => setFiltering(!isFiltering),
    onBack: back,
    onRefresh: props.reload,
  }
  const { sort, order = 'asc' } = params
  const sorting = {
    sort,
    order,
    sortBy: (by: SortKey) => onFilter({ sort: by, order: by === sort && order === 'asc' ? 'desc' : undefined }),
  }
  return (
    <Sheet title="Search Results">
      {isPhone && isSelecting(state) ? (
        <PhoneSelectionTop over="search" {...state} />
      ) : (
        <SearchBar query={params.q} takesFocus={!isAsked} {...bar} />
      )}
      {isFiltering && <SearchFiltersPanel params={params} onFilter={onFilter} />}
      {problem && <ErrorStrip {...problem} onRetry={props.reload} onDismiss={props.dismiss} />}
      {actions.problem && <ErrorStrip {...actions.problem} onDismiss={actions.dismissProblem} />}
      <SearchHeading params={params} found={props.isArrived ? found : null}>
        {isAsked && <OrderChoice params={params} onChange={onFilter} />}
      </SearchHeading>
      {isPhone && <PhoneSort middle="location" isSortable={false} />}
      <ListPane state={state} folder={null}>
        <OwnSorting value={sorting}>
          <ItemList
            state={state}
            middle="location"
            isSortable
            isWaiting={isWaiting}
            isStale={props.isStale}
            empty={<NothingFound isAsked={isAsked} isKnown={found !== null} params={params} onFilter={onFilter} />}
            onOpenFolder={({ id }) => void navigate(folderRoute(id))}
            onUp={back}
          />
        </OwnSorting>
      </ListPane>
      {isPhone && isSelecting(state) && (
        <PhoneSelectionBottom selection={state.selection} acts={itemActs(state.actions, state.selection.items)} />
      )}
      {actions.dialogs}
    </Sheet>
  )
}
