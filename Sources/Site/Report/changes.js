// Shows the items that contain all typed words, and opens the states that have any.
const search = document.getElementById("search");
const groups = [...document.querySelectorAll("details")].map(details => ({
  details, wasOpen: details.open,
  items: [...details.querySelectorAll(".changes > li")].map(
    item => ({ item, text: item.textContent.toLowerCase() })) }));
search.addEventListener("input", () => {
  const words = search.value.toLowerCase().split(" ").filter(word => word);
  for (const { details, wasOpen, items } of groups) {
    let found = 0;
    for (const { item, text } of items) {
      item.hidden = !words.every(word => text.includes(word));
      if (!item.hidden) found += 1;
    }
    details.hidden = found === 0;
    details.open = words.length > 0 ? found > 0 : wasOpen;
  }
  for (const section of document.querySelectorAll("section")) {
    const states = [...section.querySelectorAll("details")];
    if (states.length > 0) section.hidden = states.every(state => state.hidden);
  }
});
