/** Whether the window is too narrow for something beside the sheet; phones are. */
import { useMediaQuery } from '@mantine/hooks'

export const useNarrow = (): boolean => useMediaQuery('(max-width: 1100px)', false, { getInitialValueInEffect: false })
