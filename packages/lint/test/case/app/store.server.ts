/** Stands in for the site's store, so that the tests pass in a site without it. */
import { defineStore } from '../installed/@gatehouse/store';

export const { store } = defineStore({});
