/** pdf.js's worker as filestore starts it; copied beside it as it stands. */
export * from './pdf.worker.min.mjs'

// A document that is left while it loads ends so inside pdf.js, and nobody is to take that for an error.
self.addEventListener('unhandledrejection', event => {
  if (event.reason?.message === 'Worker was terminated') event.preventDefault()
})
