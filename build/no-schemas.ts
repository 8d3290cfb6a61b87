/**
 * Stands in the page's bundle for zod/mini. Of a call the page needs method, path and carrier; what is sent and answered
 * is checked by the server and by the terminal client, so that here the schemas are only types.
 */

const schema = { check: () => schema }
const make = () => schema

export {
  make as _default,
  make as array,
  make as boolean,
  make as custom,
  make as discriminatedUnion,
  make as enum,
  make as extend,
  make as gte,
  make as int,
  make as literal,
  make as lte,
  make as maxLength,
  make as meta,
  make as minLength,
  make as nonnegative,
  make as normalize,
  make as null,
  make as nullable,
  make as object,
  make as optional,
  make as overwrite,
  make as pipe,
  make as positive,
  make as record,
  make as refine,
  make as regex,
  make as strictObject,
  make as string,
  make as superRefine,
  make as toLowerCase,
  make as toUpperCase,
  make as transform,
  make as trim,
  make as union,
  make as unknown,
}
export const iso = { date: make, datetime: make }
