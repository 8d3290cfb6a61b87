/** Which keys are not for the page itself. */

/** Whether keys go to a field that takes text. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest('input:not([type="checkbox"]), textarea, select, [contenteditable]') !== null

/** Whether a dialog or menu lies over the page, and takes its keys. One that only fades out takes none any more. */
export const isPageBehind = (): boolean =>
  document.querySelector('[role="dialog"]:not([data-closing] *), [role="menu"]') !== null
