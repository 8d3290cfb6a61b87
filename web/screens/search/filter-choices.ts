/** What can be chosen where a filter is a list. */

/** The choices of SPEC 3, in the words that the list has for what each of them finds. */
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
