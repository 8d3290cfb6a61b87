/** The levels of access as choices, and in events. */
import { shareLevels } from '../../../src/api/share-levels.ts'
import { levelNames, levelsFor, type Sharable } from '../../../src/api/share-words.ts'

/** The name of a level that an event tells. */
export const levelName = (level: string | null | undefined): string =>
  shareLevels.flatMap(one => (one === level ? [levelNames[one]] : []))[0] ?? ''

/** The levels as choices of a select. */
export const levelChoices = (item: Sharable) =>
  levelsFor(item).map(level => ({ value: level, label: levelNames[level] }))
