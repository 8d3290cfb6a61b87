/** The state of the folder picker: the open folder, the way to it, and the places that it can go to. */

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FileItem, Place } from '../../../src/api/items.ts'
import { abilitiesIn, placeOfSpace } from '../../../src/api/rights.ts'
import { sharedFoldersQuery } from '../../lib/data/received.ts'
import { spacesQuery } from '../../lib/data/spaces.ts'
import { subfoldersQuery } from '../../lib/data/subfolders.ts'
import { type Destination, home } from '../destination.ts'

/** One folder on the way from a root. */
export interface Step {
  /** Null for Home. */
  id: number | null
  name: string
  /** Its path in its place. */
  path: string
}

/** The roots that can be picked besides Home. */
export interface Places {
  teams: readonly Destination[]
  shared: readonly Destination[]
}

interface Open {
  /** Undefined while the places are shown. */
  id: number | null | undefined
  /** The way from the root, as far as it is known before the folder has loaded. */
  steps: readonly Step[]
  place: Place | null
  /** The folder that the user came from, which gets the focus; null focuses the first. */
  cameFrom: number | null
}

const homeStep: Step = { id: null, name: home.name, path: '/' }
const rootStep = (place: Place | null): Step =>
  place === null ? homeStep : { id: place.id, name: place.name, path: '/' }

const targetOf = ({ id, name, place, may }: FileItem): Destination => ({ id, name, place, may })

/** Null while there are none, or they are not loaded. */
function usePlaces(): Places | null {
  const { data: spaces = [] } = useQuery(spacesQuery)
  const { data: shares = [] } = useQuery(sharedFoldersQuery)
  const teams = spaces.map(space => {
    const place = placeOfSpace(space)
    return { id: place.id, name: place.name, place, may: abilitiesIn(space) }
  })
  return teams.length + shares.length === 0 ? null : { teams, shared: shares.map(targetOf) }
}

/** `startId` is the folder that is open first; null is Home. */
export function usePicker(startId: number | null) {
  const [open, setOpen] = useState<Open>({
    id: startId,
    steps: startId === null ? [homeStep] : [],
    place: null,
    cameFrom: null,
  })
  const places = usePlaces()
  const folders = useQuery({ ...subfoldersQuery(open.id ?? null), enabled: open.id !== undefined })
  const data = open.id === undefined ? undefined : folders.data
  const place = data === undefined ? open.place : (data.folder?.place ?? null)
  const steps = data === undefined ? open.steps : [rootStep(place), ...data.trail]
  const last = steps.at(-1) ?? homeStep
  const may = open.id === null ? null : (data?.may ?? null)

  const goTo = (index: number) => {
    const kept = steps.slice(0, index + 1)
    setOpen({ id: kept.at(-1)?.id ?? null, steps: kept, place, cameFrom: steps[index + 1]?.id ?? null })
  }
  const showPlaces = () => setOpen({ id: undefined, steps: [], place: null, cameFrom: steps[0]?.id ?? null })
  return {
    /** Null while the places are shown. */
    folder: open.id === undefined ? null : ({ id: open.id, name: last.name, place, may } satisfies Destination),
    steps,
    path: last.path,
    folders,
    places,
    cameFrom: open.cameFrom,
    canGoUp: steps.length > 1 || (steps.length === 1 && places !== null),
    goUp: () => (steps.length > 1 ? goTo(steps.length - 2) : showPlaces()),
    /** Goes back to a step by its index. */
    goTo,
    showPlaces,
    /** Opens a folder in the open one, or a place. */
    enter: (target: { id: number | null; name: string; place: Place | null }) => {
      const isRoot = open.id === undefined
      const path = `${last.path.replace(/\/$/, '')}/${target.name}`
      const step = isRoot ? rootStep(target.place) : { id: target.id, name: target.name, path }
      setOpen({ id: target.id, steps: isRoot ? [step] : [...steps, step], place: target.place, cameFrom: null })
    },
  }
}
