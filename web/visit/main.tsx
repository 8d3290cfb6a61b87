/** Starts the page of a link's visitor. It is a page of its own, without accounts, routes and everything behind them. */
import './styles.css'
// Import it before the page, so that the page's own styles override the theme's.
import '../ui/theme.ts'
import { MantineProvider } from '@mantine/core'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { styleNonce } from '../lib/server/config.ts'
import { resolveCssVariables, theme } from '../ui/theme.ts'
import { loadLink } from './link.ts'
import { preparePicture } from './preview/prepare-picture.ts'
import { VisitPage } from './visit-page.tsx'

void loadLink()
preparePicture()

const container = document.getElementById('root')
if (container === null) throw new Error('The page has no #root')
createRoot(container).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={resolveCssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
    >
      <VisitPage />
    </MantineProvider>
  </StrictMode>,
)
