/** A user as others see them. */
import * as z from 'zod/mini'

export const person = z.object({ id: z.int(), username: z.string(), full_name: z.nullable(z.string()) })
