import 'latchkey/define'
import { createApp } from 'vue'
import { createRouter, createWebHistory } from 'vue-router'
import App from './app.vue'
import Home from './home.vue'
import Second from './second.vue'

const router = createRouter({
  history: createWebHistory(),
  routes: [
    { path: '/', component: Home },
    { path: '/second', component: Second },
  ],
})
createApp(App).use(router).mount('#app')
