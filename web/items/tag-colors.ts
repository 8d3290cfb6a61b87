/** The colours offered for tags; any other #RRGGBB is valid too. */

interface TagColor {
  name: string
  value: string
}

/** The eight colours of the tag manager. */
export const tagColors: readonly TagColor[] = [
  { name: 'Red', value: '#EF4444' },
  { name: 'Amber', value: '#F59E0B' },
  { name: 'Green', value: '#10B981' },
  { name: 'Blue', value: '#3B82F6' },
  { name: 'Violet', value: '#8B5CF6' },
  { name: 'Pink', value: '#EC4899' },
  { name: 'Indigo', value: '#6366F1' },
  { name: 'Teal', value: '#14B8A6' },
]

/** The twelve colours of the tag screen. */
export const moreTagColors: readonly TagColor[] = [
  ...tagColors,
  { name: 'Orange', value: '#F97316' },
  { name: 'Lime', value: '#84CC16' },
  { name: 'Cyan', value: '#06B6D4' },
  { name: 'Slate', value: '#64748B' },
]

export const firstTagColor = '#3B82F6'
