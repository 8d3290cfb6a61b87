/** Searches on the server while the person types. */
import type { Place as ItemPlace } from '../../src/api/items.ts'
import { minSearchLength } from '../../src/api/limits.ts'
import { isSearchable } from '../../src/api/search-text.ts'
import { shownPath } from '../places.ts'
import type { App } from './app.ts'
import { lineOf } from './line-editor.ts'
import { goBack } from './navigation.ts'
import { openPlace, type Place } from './place.ts'
import { ask } from './prompting.ts'
import type { State } from './state.ts'
import { shorten, shortName } from './text.ts'

/** Milliseconds to wait after the last key before the search starts. */
const pause = 200

/** A team folder, or a folder that others share; null for the search in all places. */
type Within = ItemPlace | null

/** Shows the hits in place of the list; going back shows the list again. */
function show(app: App, text: string, within: Within): void {
  const { place, trail } = app.store.get()
  const { source } = place
  const hits = openPlace({ kind: 'search', text: text.trim(), within })
  if (source.kind !== 'search') app.store.set({ place: hits, trail: [...trail, place], selection: new Map() })
  else if (source.text !== text.trim() || source.within?.id !== within?.id)
    app.store.set({ place: hits, selection: new Map() })
}

const isSearching = (app: App): boolean => app.store.get().place.source.kind === 'search'

/** Returns the place that the search was started in. */
function placeAround({ place, trail }: State): Within {
  const from: Place | undefined = place.source.kind === 'search' ? trail.at(-1) : place
  return from?.folder?.root ?? null
}

const nameOf = (place: ItemPlace): string => shorten(shownPath({ place, path: '/' }), shortName)

/** Asks for the text of a search; Tab changes between the place that the search was started in and all places. */
function askFor(app: App, text: string, within: Within): void {
  let timer: NodeJS.Timeout | undefined
  const showNow = (typed: string) => {
    clearTimeout(timer)
    if (isSearchable(typed)) show(app, typed, within)
    else if (isSearching(app)) goBack(app)
  }
  const around = placeAround(app.store.get())
  const searchElsewhere = async (typed: string) => {
    clearTimeout(timer)
    const other = within === null ? around : null
    if (isSearchable(typed)) show(app, typed, other)
    askFor(app, typed, other)
    return undefined
  }
  const elsewhere = within === null && around !== null ? `in ${nameOf(around)}` : 'everywhere'
  ask(app, {
    label: within === null ? 'Search' : `Search in ${nameOf(within)}`,
    hint:
      around === null
        ? `At least ${minSearchLength} characters of a name · Enter goes to the results · Esc ends the search`
        : `Enter goes to the results · Tab searches ${elsewhere} · Esc ends the search`,
    line: lineOf(text),
    change: typed => {
      clearTimeout(timer)
      timer = setTimeout(showNow, pause, typed)
    },
    submit: async typed => showNow(typed),
    cancel: () => showNow(''),
    ...(around === null ? {} : { complete: searchElsewhere }),
  })
}

/** Asks for the text of a search, which begins with the place on screen. */
export function openSearch(app: App): void {
  const state = app.store.get()
  const { source } = state.place
  if (source.kind === 'search') askFor(app, source.text, source.within)
  else askFor(app, '', placeAround(state))
}
