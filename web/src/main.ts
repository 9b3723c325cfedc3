import "./app.css";

import { mount } from "svelte";

import App from "./App.svelte";
import { settings } from "./settings.svelte";

await settings.begin();
const target = document.getElementById("app");
if (target) mount(App, { target });
