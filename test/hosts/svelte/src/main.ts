import 'latchkey/define'
import { mount } from 'svelte'
import App from './app.svelte'

export default mount(App, { target: document.querySelector('#app') as HTMLElement })
