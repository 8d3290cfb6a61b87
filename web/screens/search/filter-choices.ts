/** What can be chosen where a filter is a list. */

/** The kinds and states that a search can be narrowed to, in the words that the list has for them. */
export const kindChoices = [
  { value: '', label: 'Any kind' },
  { value: 'image/', label: 'Images' },
  { value: 'video/', label: 'Videos' },
  { value: 'audio/', label: 'Audio' },
  { value: 'text/', label: 'Text and code' },
  { value: 'application/pdf', label: 'PDF' },
  { value: 'application/', label: 'Office files, archives and more' },
]

export const statusChoices = [
  { value: '', label: 'Any status' },
  { value: 'approved', label: 'Approved' },
  { value: 'pending', label: 'Pending' },
  { value: 'rejected', label: 'Rejected' },
]
