/** Leads to the first field of a form that is wrong. */
import { type RefObject, useLayoutEffect } from 'react'

/** `problems`: what is wrong, by field; each new finding leads there anew. */
export function useFocusInvalid(form: RefObject<HTMLFormElement | null>, problems: object): void {
  useLayoutEffect(() => {
    if (Object.keys(problems).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [form, problems])
}
