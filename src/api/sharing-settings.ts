/** The settings of sharing, which bind every user. */
import * as z from 'zod/mini'

/** `find_people`: whether a part of a name finds people, or only the whole username. */
export const sharingSettings = z.object({
  people: z.boolean(),
  everyone: z.boolean(),
  find_people: z.enum(['names', 'exact']),
})
export type SharingSettings = z.output<typeof sharingSettings>
