/** The API's own description. */
import * as z from 'zod/mini'
import { about } from './about.ts'
import { endpoint } from './endpoint.ts'
import { nothing } from './fields.ts'

/** An OpenAPI 3.1 document, sent without the envelope so that tools can read it. */
export const apiDocument = z.record(z.string(), z.unknown())

/** Needs no sign-in. */
export const getOpenApi = endpoint('GET', '/openapi.json', nothing).returns(
  apiDocument,
  about('Get the OpenAPI document of all calls'),
)
