/** The options of the select filters. */

/** The types and states that a search can be filtered by, in the list's words. */
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
