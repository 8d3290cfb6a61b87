/**
 * Stands in the bundle for undici's index, four fifths of which the program never calls (fetch, WebSocket, caches, mocks)
 * but would load: a command of the client takes 60 ms of processor time less.
 */
import request from '../node_modules/undici/lib/api/api-request.js'
import errors from '../node_modules/undici/lib/core/errors.js'
import Agent from '../node_modules/undici/lib/dispatcher/agent.js'
import Dispatcher from '../node_modules/undici/lib/dispatcher/dispatcher.js'
import Pool from '../node_modules/undici/lib/dispatcher/pool.js'

// As the index does.
Object.assign(Dispatcher.prototype, { request })

export { Agent, errors, Pool }
