/** Whether the window has a phone's width. */
import { useMediaQuery } from '@mantine/hooks'

export const usePhone = (): boolean => useMediaQuery('(max-width: 767.98px)', false, { getInitialValueInEffect: false })
