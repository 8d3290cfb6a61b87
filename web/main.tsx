/** Starts the page: finds out who is signed in, then shows the screen for the address. */
import './styles.css'
// Import it before the screens, so that a screen's own styles override the theme's.
import './ui/theme.ts'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { styleNonce } from './lib/server/config.ts'
import { watchNetwork } from './lib/server/connection.ts'
import { queryClient } from './lib/server/query-client.ts'
import { followOtherTabs, startSession } from './lib/server/session.ts'
import { router } from './router.tsx'
import { resolveCssVariables, theme } from './ui/theme.ts'

const session = startSession()
followOtherTabs()
watchNetwork()

function Start() {
  const [isReady, setReady] = useState(false)
  useEffect(() => void session.then(() => setReady(true)), [])
  return isReady ? <RouterProvider router={router} /> : <p className="start">Loading...</p>
}

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
      <QueryClientProvider client={queryClient}>
        <Start />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
