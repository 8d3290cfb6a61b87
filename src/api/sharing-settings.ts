/** The settings of sharing, which bind every user. */
import * as z from 'zod/mini'

/**
 * `find_people`: whether a part of a name finds people, or only the whole username. `links`: whether links work at all;
 * `link_uploads`: whether visitors may upload; `link_password_required`: whether links need a password to work;
 * `link_max_days`: the days after its making in which each link must end, 0 for no such rule.
 */
export const sharingSettings = z.object({
  people: z.boolean(),
  everyone: z.boolean(),
  find_people: z.enum(['names', 'exact']),
  links: z.boolean(),
  link_uploads: z.boolean(),
  link_password_required: z.boolean(),
  link_max_days: z.int(),
})
export type SharingSettings = z.output<typeof sharingSettings>
