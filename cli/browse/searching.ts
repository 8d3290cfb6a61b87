/** Searches on the server while the person types. */
import { minSearchLength } from '../../src/api/limits.ts'
import { isSearchable } from '../../src/api/search-text.ts'
import type { App } from './app.ts'
import { lineOf } from './line-editor.ts'
import { goBack } from './navigation.ts'
import { openPlace, type Place } from './place.ts'
import { ask } from './prompting.ts'

/** Milliseconds to wait after the last key before the search starts. */
const pause = 200

const searchPlace = (text: string): Place => ({ ...openPlace({ kind: 'search', text: text.trim() }) })

/** Shows the hits in place of the list; going back shows the list again. */
function show(app: App, text: string): void {
  const { place, trail } = app.store.get()
  if (place.source.kind === 'search') {
    if (place.source.text !== text.trim()) app.store.set({ place: searchPlace(text), selection: new Map() })
    return
  }
  app.store.set({ place: searchPlace(text), trail: [...trail, place], selection: new Map() })
}

const isSearching = (app: App): boolean => app.store.get().place.source.kind === 'search'

export function openSearch(app: App): void {
  let timer: NodeJS.Timeout | undefined
  const { source } = app.store.get().place
  const showNow = (text: string) => {
    clearTimeout(timer)
    if (isSearchable(text)) show(app, text)
    else if (isSearching(app)) goBack(app)
  }
  ask(app, {
    label: 'Search',
    hint: `At least ${minSearchLength} characters of a name · Enter goes to the results · Esc ends the search`,
    line: lineOf(source.kind === 'search' ? source.text : ''),
    change: text => {
      clearTimeout(timer)
      timer = setTimeout(showNow, pause, text)
    },
    submit: async text => showNow(text),
    cancel: () => showNow(''),
  })
}
