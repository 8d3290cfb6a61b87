/** How a person likes to see files. The server keeps it, so that it is the same on every device. */
import * as z from 'zod/mini'
import { sortKeys, sortOrders } from './files.ts'
import { maxColumnWidth, minColumnWidth } from './limits.ts'

export const views = ['list', 'grid'] as const
export type View = (typeof views)[number]

/**
 * The columns of a list besides the name, in the order shown. Lists across folders show the location, not the type; the
 * owner is shown in places other than the own tree.
 */
export const listColumns = ['tags', 'type', 'location', 'owner', 'size', 'date', 'created'] as const
export type ListColumn = (typeof listColumns)[number]

/** The columns with a width of their own: tags share the name's column. */
export const wideColumns = ['type', 'location', 'owner', 'size', 'date', 'created'] as const
export type WideColumn = (typeof wideColumns)[number]

const wrongWidth = `Expected a whole number from ${minColumnWidth} to ${maxColumnWidth}`
/** Pixels. */
const width = z.optional(z.int(wrongWidth).check(z.gte(minColumnWidth, wrongWidth), z.lte(maxColumnWidth, wrongWidth)))

const fields = {
  sort: z.enum(sortKeys),
  order: z.enum(sortOrders),
  view: z.enum(views),
  columns: z.array(z.enum(listColumns)).check(
    z.maxLength(listColumns.length, `At most ${listColumns.length} columns`),
    z.refine(list => new Set(list).size === list.length, 'A column is named twice'),
  ),
  /** The widths that were changed; a column without one has its usual width. */
  column_widths: z.strictObject({
    type: width,
    location: width,
    owner: width,
    size: width,
    date: width,
    created: width,
  }),
  /** Whether the details panel is open in windows with room for it. */
  details: z.boolean(),
}

export const preferences = z.object(fields)
export type Preferences = z.output<typeof preferences>

/** Some of them: those that a call changes, and those that a user has ever changed. */
export const somePreferences = z.strictObject({
  sort: z.optional(fields.sort),
  order: z.optional(fields.order),
  view: z.optional(fields.view),
  columns: z.optional(fields.columns),
  column_widths: z.optional(fields.column_widths),
  details: z.optional(fields.details),
})

/** What holds until a user prefers something else. */
export const defaultPreferences: Preferences = {
  sort: 'name',
  order: 'asc',
  view: 'list',
  columns: ['tags', 'type', 'location', 'owner', 'size', 'date'],
  column_widths: {},
  details: false,
}
